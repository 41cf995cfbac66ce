#!/bin/bash
# Usage: generate.sh OUT LIBRARY_VERSION INSTANCES WIRE_VERSION… — needs Maven, Maven Central and a JDK: 17, or 21 for 3.x.
# Random instances of all that a version of OpenSearch can write, as that version writes them: lines of truth.Main.
set -euo pipefail
out=$1 library=$2 instances=$3
shift 3
cd "$(dirname "$0")"
work=target/$library
mkdir -p "$work"
# log4j-core is the only one of its own; it has to be of the version of the log4j-api that the library has.
case $library in
1.*) log4j=2.17.1 ;;
2.*) log4j=2.21.0 ;;
*) log4j=2.25.5 ;;
esac
[ -d "$work/lib" ] || mvn -q -B dependency:copy-dependencies -Dopensearch.version="$library" -Dlog4j.version=$log4j -DincludeScope=runtime -DoutputDirectory="$work/lib"
rm -rf "$work/src" "$work/classes"
cp -r src "$work/src"
# Names as they were before packages moved.
case $library in
1.*)
  sed -i -e 's/org\.opensearch\.core\.common\.\(io\|bytes\|text\)/org.opensearch.common.\1/; s/new SearchModule(Settings.EMPTY, plugins)/new SearchModule(Settings.EMPTY, false, plugins)/' "$work"/src/truth/*.java
  ;;
*) sed -i -e 's/org\.opensearch\.transport\.TransportMessage/org.opensearch.core.transport.TransportMessage/' "$work"/src/truth/*.java ;;
esac
case $library in
[12].*) sed -i -e 's/ParentJoinModulePlugin/ParentJoinPlugin/; s/MatrixAggregationModulePlugin/MatrixAggregationPlugin/' "$work"/src/truth/*.java ;;
esac
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}
"${jdk}javac" -nowarn -Xlint:none -d "$work/classes" -cp "$work/lib/*" "$work"/src/truth/*.java
"${jdk}java" -Xmx1g -cp "$work/classes:$work/lib/*" truth.Main "$work/lib" "$instances" 1 "$@" >"$out"
