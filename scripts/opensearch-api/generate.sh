#!/bin/bash
# Usage: generate.sh OUT VERSION — needs Maven, Maven Central, a JDK 21 or later, and tcpdump with its rights.
# Of the protobufs that OpenSearch publishes: OUT/opensearch-api.binpb, their descriptors; OUT/grpc-opensearch.pcap and
# .sent.txt, a recorded conversation of client and server that use the published stubs, and what they wrote.
set -euo pipefail
out=$(realpath "$1") version=$2
cd "$(dirname "$0")"
work=target/$version
mkdir -p "$work"
[ -d "$work/lib" ] || mvn -q -B dependency:copy-dependencies -Dprotobufs.version="$version" -DincludeScope=runtime -DoutputDirectory="$work/lib"
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}
"${jdk}javac" -nowarn -Xlint:none -d "$work/classes" -cp "$work/lib/*" src/api/*.java
java=("${jdk}java" -cp "$work/classes:$work/lib/*")
"${java[@]}" api.Descriptors "$out/opensearch-api.binpb"
tcpdump -i lo -U -w "$out/grpc-opensearch.pcap" tcp port 9400 2>/dev/null &
trap "kill $!" EXIT
sleep 1
timeout 60 "${java[@]}" api.Conversation 9400 >"$out/grpc-opensearch.sent.txt"
sleep 1
