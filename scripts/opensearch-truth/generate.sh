#!/bin/bash
# Usage: generate.sh OUT LIBRARY_VERSION INSTANCES WIRE_VERSION…, or OUT LIBRARY_VERSION read FILE, or OUT LIBRARY_VERSION sources FILE (2.12 and later) — needs Maven, Maven Central and a JDK: 17, or 21 for 3.x.
# Random instances of all that a version of OpenSearch can write, as that version writes them: lines of truth.Main.
set -euo pipefail
out=$1 library=$2 instances=$3
shift 3
cd "$(dirname "$0")"
work=target/$library
mkdir -p "$work"
if [ ! -d "$work/lib" ]; then
  mvn -q -B dependency:copy-dependencies -Dopensearch.version="$library" -DincludeScope=runtime -DoutputDirectory="$work/lib"
  # log4j-core is the only one that the library's own jar leaves out; it is of the version of log4j-api.
  api=$(basename "$work"/lib/log4j-api-*.jar .jar)
  mvn -q -B dependency:copy -Dartifact="org.apache.logging.log4j:log4j-core:${api#log4j-api-}" -DoutputDirectory="$work/lib"
fi
rm -rf "$work/src" "$work/classes"
cp -r src "$work/src"
# Each class under the name that it has in this version: the sources have the newest ones.
for jar in "$work"/lib/{opensearch,parent-join,aggs-matrix}*.jar; do unzip -Z1 "$jar"; done | tr / . >"$work/names"
rename() { # NEW OLD
  grep -qxF "$1.class" "$work/names" || sed -i -e "s/${1//./\\.}\b/$2/g" "$work"/src/truth/*.java
}
for name in io.stream.NamedWriteable io.stream.NamedWriteableAwareStreamInput io.stream.NamedWriteableRegistry io.stream.StreamInput io.stream.StreamOutput io.stream.Writeable bytes.BytesArray bytes.BytesReference text.Text; do
  rename org.opensearch.core.common.$name org.opensearch.common.$name
done
rename org.opensearch.core.transport.TransportMessage org.opensearch.transport.TransportMessage
rename org.opensearch.join.ParentJoinModulePlugin org.opensearch.join.ParentJoinPlugin
rename org.opensearch.search.aggregations.matrix.MatrixAggregationModulePlugin org.opensearch.search.aggregations.matrix.MatrixAggregationPlugin
grep -q '^import.*ModulePlugin;' "$work/src/truth/Main.java" || sed -i -e 's/\(ParentJoin\|MatrixAggregation\)ModulePlugin/\1Plugin/g' "$work/src/truth/Main.java"
case $library in
1.*) sed -i -e 's/new SearchModule(Settings.EMPTY, plugins)/new SearchModule(Settings.EMPTY, false, plugins)/' "$work/src/truth/Main.java" ;;
esac
[ "$instances" != sources ] || cp sources/truth/Sources.java "$work/src/truth"
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}
"${jdk}javac" -nowarn -Xlint:none -d "$work/classes" -cp "$work/lib/*" "$work"/src/truth/*.java
java=("${jdk}java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$work/classes:$work/lib/*")
case $instances in
sources) "${java[@]}" truth.Sources "$@" >"$out" ;;
read) "${java[@]}" truth.Main "$work/lib" read "$@" >"$out" ;;
*) "${java[@]}" truth.Main "$work/lib" "$instances" "${SEED:-1}" "$@" >"$out" ;;
esac
