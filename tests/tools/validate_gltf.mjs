// Fails when the Khronos validator finds an error or a warning in any of the files.
//   node validate_gltf.mjs FILE...
// Run in a folder whose node_modules has gltf-validator.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

const require = createRequire(join(process.cwd(), "package.json"));
const validator = require("gltf-validator");
const kSeverities = ["error", "warning", "info", "hint"];

let failed = process.argv.length < 3;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
    uri: basename(file),
    maxIssues: 100,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(join(dirname(file), decodeURIComponent(uri)))),
  });
  for (const { severity, code, message, pointer } of report.issues.messages) {
    console.log(`${file}: ${kSeverities[severity]}: ${code} ${message} ${pointer ?? ""}`);
  }
  const { numErrors, numWarnings } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
  failed ||= numErrors + numWarnings > 0;
}
process.exit(failed ? 1 : 0);
