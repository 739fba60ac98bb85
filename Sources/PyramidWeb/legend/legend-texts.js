/** @type {import("../markers/texts.js").LegendTexts} the texts of legends in English */
export const english = {
  legend: "Legend", showAll: "Show all", colorsBy: "Colours by", numberOfPoints: "number of points", sizes: "The larger a circle, the more points",
  counts: "Points in view / in all", inView: (number) => `${number} in view`, inAll: (number) => `${number} in all`,
  noValue: "no value", other: "other", some: "some", none: "none", all: "all", allOf: (title) => `All of ${title}`, only: "only", onlyValue: (value) => `Only ${value}`,
  find: "Find …", findIn: (title) => `Find in ${title}`, fewer: "Fewer", moreValues: (number) => `${number} more`, yes: "yes", no: "no", empty: "empty",
  lowerLimit: (title) => `${title}, from`, upperLimit: (title) => `${title}, to`, unlimited: "no limit",
  lessThan: (to) => `less than ${to}`, orMore: (from) => `${from} or more`, between: (from, to) => `${from} to less than ${to}`,
};
