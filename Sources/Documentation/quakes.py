"""The second demo and its picture: 596 earthquakes in four months, from hvsampledata (PyPI, BSD licence; the data is the USGS's)."""

# In the folder that Tests/install.sh fills.
ROWS = "wheels/hvsampledata/_data/earthquakes.csv"
OPTIONS = [
    "--filter-by",
    "time:day,mag:4.5:5:5.5",
    "--name",
    "Earthquakes",
    "--attribution",
    'Earthquakes: <a href="https://www.usgs.gov/programs/earthquake-hazards">USGS</a>',
]
