// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input_flags.h"

#include "cli/input/input_format.h"
#include "core/base/try.h"

namespace varve::cli {

void DeclareInput(Parameters& parameters, InputFlags* flags) {
  parameters.Positional("input", &flags->inputs,
                        "files (tables, gzip and zstd too), or - for standard input");
  parameters.Option("input-format", &flags->format,
                    "how records are written; auto: told from the name and the first line",
                    {"auto", "tsv", "csv", "jsonl", "dump", "nul", "arrow"});
  parameters.Option("key-column", &flags->key_column,
                    "csv, jsonl, arrow: where the key is (default: key)");
  parameters.Option("value-column", &flags->value_column,
                    "csv, jsonl, arrow: where the value is (default: value)");
  parameters.Option(
      "key-schema", &flags->key_schema,
      "arrow: the columns that keys consist of, as scan has them: 'id:u64be,name:str'");
  parameters.Option("value-schema", &flags->value_schema, "arrow: the same for values");
  parameters.Option("key-in", &flags->key_encoding, "how keys are written", kEncodingNames);
  parameters.Option("value-in", &flags->value_encoding, "how values are written", kEncodingNames);
  parameters.Option("cf", &flags->family,
                    "column family of records that do not name one (default: default)");
  parameters.Option("strict", &flags->strict, "stop at the first line that is rejected");
  parameters.Option("max-errors", &flags->max_errors,
                    "stop when more lines than this are rejected");
  parameters.Option("rejects", &flags->rejects,
                    "write rejected lines unchanged to this file, to be fixed and loaded again");
}

Result<InputOptions> MakeInputOptions(const InputFlags& flags) {
  InputOptions options;
  ASSIGN_OR_RETURN(options.shape, arrow::MakeRecordShape(flags.key_schema.value_or(""),
                                                         flags.value_schema.value_or("")));
  options.format = InputFormatByName(flags.format);
  options.key_column = flags.key_column.value_or(options.key_column);
  options.value_column = flags.value_column.value_or(options.value_column);
  if (flags.key_encoding) options.key_encoding = EncodingByName(*flags.key_encoding);
  if (flags.value_encoding) options.value_encoding = EncodingByName(*flags.value_encoding);
  options.family = flags.family.value_or(options.family);
  return options;
}

}  // namespace varve::cli
