#!/bin/sh
# usage: conformance.sh PROGRAM: runs it over the corpus, where there is one.
corpus=${SLUICE_CORPUS:-$SLUICE_SOURCE_ROOT/../shared/corpus}
if [ ! -f "$corpus/INDEX.tsv" ]; then
  echo "SKIPPED: no corpus at $corpus; SLUICE_CORPUS names another place" >&2
  exit 77
fi
exec "$1" "$corpus"
