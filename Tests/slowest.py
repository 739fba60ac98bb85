#!/usr/bin/env python3
"""Prints the slowest tests in Swift.

    Tests/slowest.py EVENTS

EVENTS is what `swift test --no-parallel --event-stream-output-path EVENTS --event-stream-version 0` writes. Tests that run in parallel mostly wait for
each other.
"""

import collections
import json
import sys

names, seconds = {}, collections.Counter()
with open(sys.argv[1]) as events:
    for line in events:
        event = json.loads(line)["payload"]
        if event["kind"] == "function":
            names[event["id"]] = event.get("displayName", event["name"])
        elif event["kind"] in ("testStarted", "testEnded") and event["testID"] in names:
            seconds[event["testID"]] += (1 if event["kind"] == "testEnded" else -1) * event["instant"]["absolute"]
for test, spent in seconds.most_common(20):
    print(f"{spent:7.1f} s {names[test]}")
