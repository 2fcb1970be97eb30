// Which JSON files a JSON Schema (draft 2020-12) takes.
//   node validate_schema.mjs SCHEMA valid|invalid FILE...
// Fails unless all are as said. Run in a folder whose node_modules has ajv.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "package.json"));
const Ajv = require("ajv/dist/2020").default;

const [schema, wanted, ...files] = process.argv.slice(2);
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: false });
const validate = ajv.compile(JSON.parse(readFileSync(schema, "utf8")));

let failed = files.length === 0;
for (const file of files) {
  const found = validate(JSON.parse(readFileSync(file, "utf8"))) ? "valid" : "invalid";
  if (found === wanted) continue;
  failed = true;
  console.log(`${file}: ${found}: ${ajv.errorsText(validate.errors)}`);
}
console.log(`${files.length} files, wanted ${wanted}`);
process.exit(failed ? 1 : 0);
