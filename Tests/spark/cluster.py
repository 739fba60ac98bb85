"""A Spark cluster of this machine."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession
from workshop import free_port

# Every worker process of Spark is to find what this one has.
os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")


class Cluster(contextlib.ExitStack):
    """A master and two workers of one core each, processes of their own that listen on loopback only."""

    bin = Path(pyspark.__path__[0], "bin")

    def __init__(self, folder):
        super().__init__()
        self.folder = Path(folder)
        self.url = f"spark://127.0.0.1:{free_port()}"
        self.start("Master", "--host", "127.0.0.1", "--port", self.url.rsplit(":", 1)[1], "--webui-port", "0")
        self.workers = [self.start_worker() for _ in range(2)]

    def start(self, kind, *arguments):
        log = self.enter_context(open(self.folder / f"{kind}-{time.monotonic_ns()}.log", "wb"))
        process = subprocess.Popen(
            [self.bin / "spark-class", f"org.apache.spark.deploy.{kind.lower()}.{kind}", *arguments],
            stdout=log,
            stderr=log,
            env={**os.environ, "SPARK_NO_DAEMONIZE": "1"},
        )
        self.callback(process.wait)
        self.callback(process.terminate)
        return process

    def start_worker(self):
        places = ["--host", "127.0.0.1", "--webui-port", "0", "--work-dir", str(self.folder / "work")]
        return self.start("Worker", *places, "--cores", "1", "--memory", "2g", self.url)

    def session(self, **settings):
        """The session of a driver in this process; `settings` are Spark's, with underscores for dots."""
        builder = SparkSession.builder.master(self.url)
        usual = {
            "spark_driver_host": "127.0.0.1",
            "spark_driver_bindAddress": "127.0.0.1",
            "spark_executor_cores": "1",
            "spark_ui_enabled": "false",
            "spark_ui_showConsoleProgress": "false",
        }
        for name, value in {**usual, **settings}.items():
            builder = builder.config(name.replace("_", "."), value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        self.callback(spark.stop)
        return spark
