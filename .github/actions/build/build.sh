#!/usr/bin/env bash
# Builds $INPUT into $OUTPUT with $OPTIONS, and checks the result. Static hosts compress by themselves.
set -euo pipefail
options=()
if [ -n "${OPTIONS// }" ]; then mapfile -d '' -t options < <(xargs printf '%s\0' <<<"$OPTIONS"); fi
pyramid build "$INPUT" "$OUTPUT" --preview --compression none ${options[@]+"${options[@]}"}
pyramid verify "$OUTPUT" "$INPUT"
