// The arrows of the architecture: who may import whom. Tests may reach for more, so they are left out as a start.

const TEST = String.raw`(\.test\.tsx?$|^e2e/|^server/(test|faults)/)`

/** The web's folders; scopes of rules below. */
const WEB_SLICE = '^web/(?!app/|ui/|lib/|i18n/|public/)([^/]+)/'

/** The web imports one way only: app, then the slices, then ui and lib. */
const webRules = [
  {
    name: 'web-folders-have-no-cycles',
    scope: 'folder',
    from: { path: '^web/' },
    to: { path: '^web/', circular: true },
  },
  {
    name: 'web-ui-and-lib-know-no-slice',
    from: { path: '^web/(ui|lib)/' },
    to: { path: '^web/', pathNot: '^web/(ui|lib|i18n)/' },
  },
  {
    name: 'web-lib-knows-no-ui',
    from: { path: '^web/lib/' },
    to: { path: '^web/ui/' },
  },
  {
    name: 'web-forms-have-one-hook',
    comment: 'Every form is one of web/lib/form.ts, so that all of them check, say and send in the same way.',
    from: { path: '^web/', pathNot: String.raw`^web/lib/form\.ts$` },
    to: { path: '^node_modules/react-hook-form/' },
  },
  {
    name: 'web-slices-do-not-know-the-app',
    from: { path: '^web/', pathNot: String.raw`^web/(app/|(main|prerender)\.tsx$|.*\.test\.tsx?$)` },
    to: { path: '^web/app/' },
  },
  {
    name: 'web-slices-share-queries-and-shared-folders-alone',
    comment: "Another slice's queries.ts, or what it keeps in shared/ for others; its screens and forms are its own.",
    from: { path: WEB_SLICE },
    to: { path: WEB_SLICE, pathNot: ['^web/$1/', String.raw`^web/[^/]+/(queries\.ts$|shared/)`] },
  },
]

const forbidden = [
  ...webRules,
  {
    name: 'no-cycles',
    comment: 'Two files that need each other at run time are one file, or three. Types alone may point both ways.',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'every-import-exists',
    from: {},
    // What the build makes by itself is no file.
    to: { couldNotResolve: true, pathNot: '^virtual:' },
  },
  {
    name: 'contract-imports-zod-alone',
    from: { path: '^contract/', pathNot: TEST },
    to: { pathNot: ['^contract/', '^node_modules/zod/'] },
  },
  {
    name: 'web-knows-the-api-type-alone',
    comment: 'The web app is typed by the server and shares no code with it.',
    from: { path: '^web/' },
    to: { path: '^server/', pathNot: String.raw`^server/api\.ts$` },
  },
  {
    name: 'web-imports-no-server-code',
    from: { path: '^web/' },
    to: { path: '^server/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'server-knows-no-web',
    from: { path: '^server/' },
    to: { path: '^web/' },
  },
  {
    name: 'ledger-knows-no-slice',
    from: { path: '^server/ledger/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/(ledger|platform)/' },
  },
  {
    name: 'db-knows-nothing-above-it',
    from: { path: '^server/platform/db/', pathNot: TEST },
    to: {
      path: '^server/',
      pathNot: String.raw`^server/platform/(db|process|secrets)/`,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'slices-do-not-know-how-they-are-put-together',
    from: { path: '^server/[^/]+/', pathNot: ['^server/(boot|cli)/', TEST] },
    to: { path: String.raw`^server/(boot/|cli/|api\.ts$)` },
  },
  {
    name: 'fixtures-are-for-tests',
    from: { pathNot: TEST },
    to: { path: '^server/(test|faults)/' },
  },
  {
    name: 'what-serves-is-a-dependency',
    comment: 'The server runs from node_modules, where an operator may leave out development dependencies.',
    from: { path: '^server/', pathNot: TEST },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'scripts-run-before-anything-is-installed',
    from: { path: '^scripts/', pathNot: TEST },
    to: { dependencyTypesNot: ['core'], pathNot: '^scripts/' },
  },
]

export default {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no parser that other tools can call; swc's tells types from values too.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
}
