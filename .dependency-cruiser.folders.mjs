// The allowed imports between folders, for types as well as code. This tool counts the imports of every file as imports of its
// folder, so tests are excluded: they may import from any folder.
import files, { TEST } from './.dependency-cruiser.mjs'

const OURS = '^(contract|server|web)/'

export default {
  forbidden: [
    {
      name: 'folders-have-no-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: OURS },
      to: { path: OURS, circular: true },
    },
  ],
  options: { ...files.options, exclude: { path: TEST } },
}
