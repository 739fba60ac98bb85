#!/usr/bin/env python3
"""Prints the seconds of the slowest tests in Swift that have arguments, which most long tests have.

    Tests/slowest.py EVENTS

EVENTS is what `swift test --event-stream-output-path EVENTS --event-stream-version 0` writes. The seconds are those of a test's cases. Other tests
begin together and take turns, so only `swift test --no-parallel` says how long they take.
"""

import collections
import json
import sys

names, began, seconds = {}, {}, collections.Counter()
with open(sys.argv[1]) as events:
    for line in events:
        event = json.loads(line)["payload"]
        if event["kind"] == "function":
            names[event["id"]] = event.get("displayName", event["name"])
        elif event["kind"] in ("testCaseStarted", "testCaseEnded"):
            case, instant = (event["testID"], event["_testCase"]["id"]), event["instant"]["absolute"]
            if event["kind"] == "testCaseStarted":
                began[case] = instant
            else:
                seconds[event["testID"]] += instant - began[case]
for test, spent in seconds.most_common(20):
    print(f"{spent:7.1f} s {names[test]}")
