#!/usr/bin/env bash
# Fuzzes a live platform by its own OpenAPI documents: no server error, no answer outside its schema.
# FUZZER is the schemathesis executable; FUZZ_SECONDS the time for each document.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${FUZZER:?set FUZZER to the schemathesis executable}"
data="$(mktemp -d)"
chmod 755 "$data"
PORT=0 OPERATOR_PORT=0 TRUNKLINE_DATA_DIR="$data/data" node tools/start.mjs > "$data/printed" 2>&1 &
platform=$!
finish() {
  kill -INT "$platform" 2> /dev/null || true
  wait "$platform" 2> /dev/null || true
  rm -rf "$data"
}
trap finish EXIT
for _ in $(seq 600); do
  grep -q 'Trunkline is ready' "$data/printed" && break
  kill -0 "$platform" 2> /dev/null || { cat "$data/printed"; exit 1; }
  sleep 0.2
done
# shellcheck disable=SC1091
source "$data/data/demo.env"
cd "$data" # the fuzzer keeps a cache where it runs

# Left out: positive_data_acceptance (a value may fit its schema and still be refused, such as a host name or a currency that does
# not exist) and unsupported_method (TRACE and the like are refused before they reach a path).
common=(--checks all --exclude-checks unsupported_method,positive_data_acceptance --phases examples,coverage,fuzzing
  --max-time "${FUZZ_SECONDS:-90}" --max-examples 60 --seed 1 --no-color --suppress-health-check all --warnings off)

echo "the public API"
"$FUZZER" run "$TRUNKLINE_URL/v1/openapi.json" --auth "$TRUNKLINE_AUTH_ID:$TRUNKLINE_AUTH_TOKEN" "${common[@]}"
echo "the operator API"
"$FUZZER" run "$TRUNKLINE_OPERATOR_URL/operator/v1/openapi.json" --url "$TRUNKLINE_OPERATOR_URL" \
  --header "Authorization: Bearer $TRUNKLINE_OPERATOR_TOKEN" "${common[@]}"
if grep -E '"level":(50|60)' "$data/data/trunkline.log"; then
  echo 'the platform logged faults of its own'
  exit 1
fi
