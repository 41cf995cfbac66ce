"""Captures or payloads on any number of machines to one profile: wirecost map in each partition, wirecost merge of the lines.

spark-submit map_merge.py LIST OUT [PARTITIONS] [-- OPTIONS OF MAP]
LIST has the path of an input a line, as every executor sees it. OUT gets one line for each key and message type.
WIRECOST names the command; without it, `wirecost` is looked for on the path.
"""

import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession


def main() -> None:
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1 :]
    paths, out = arguments[:2]
    partitions = int(arguments[2]) if len(arguments) > 2 else 32
    wirecost = shlex.split(os.environ.get("WIRECOST", "wirecost"))

    def map_partition(lines):
        """One process a partition: it reads the schema once. It fails where wirecost does, and Spark tries again."""
        wanted = "\n".join(lines)
        if wanted == "":
            return iter(())
        run = subprocess.run([*wirecost, "map", "--files", "-", *options], input=wanted, text=True, capture_output=True)
        if run.returncode != 0:
            raise RuntimeError(run.stderr)
        return iter(run.stdout.splitlines())

    spark = SparkSession.builder.appName("wirecost").getOrCreate()
    shards = spark.sparkContext.textFile(paths, partitions).repartition(partitions)
    partials = "\n".join(shards.mapPartitions(map_partition).collect())
    merged = subprocess.run([*wirecost, "merge", "--partial"], input=partials, text=True, capture_output=True, check=True)
    with open(out, "w", encoding="utf-8") as file:
        file.write(merged.stdout)
    spark.stop()


if __name__ == "__main__":
    main()
