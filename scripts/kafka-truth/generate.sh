#!/bin/bash
# Usage: generate.sh OUT LIBRARY_VERSION INSTANCES — needs Maven, Maven Central and a JDK 17.
# Random instances of all requests and responses of Kafka, in all versions, as kafka-clients writes them: lines of truth.Main.
set -euo pipefail
out=$1 library=$2 instances=$3
cd "$(dirname "$0")"
work=target/$library
mkdir -p "$work"
[ -d "$work/lib" ] || mvn -q -B dependency:copy-dependencies -Dkafka.version="$library" -DincludeScope=runtime -DoutputDirectory="$work/lib"
rm -rf "$work/src" "$work/classes"
cp -r src "$work/src"
# Since 4.4 the classes of records and of varints are in other packages.
if unzip -l "$work/lib/kafka-clients-$library.jar" '*/common/record/internal/*' >/dev/null; then
  sed -i -E 's/(common\.record)\.([A-Z])/\1.internal.\2/; s/common\.utils\.(ByteUtils)/common.utils.internals.\1/' "$work"/src/truth/*.java
fi
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}
"${jdk}javac" -nowarn -Xlint:none -d "$work/classes" -cp "$work/lib/*" "$work"/src/truth/*.java
"${jdk}java" -Xmx512m -cp "$work/classes:$work/lib/*" truth.Main "$instances" 1 >"$out"
