// The arrows between folders, for types as much as for code. Tests may reach anywhere, so here they are left out
// altogether: to this tool, a folder imports what any file in it does.
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
