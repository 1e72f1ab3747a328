// The arrows of the architecture: who may import whom. Tests may reach for more, so they are left out as a start.

export const TEST = String.raw`(\.test\.tsx?$|^e2e/|^server/(test|faults)/|^web/test/)`

/** The web's folders; scopes of rules below. */
const WEB_SLICE = '^web/(?!app/|ui/|lib/|i18n/|public/|test/)([^/]+)/'

/** The web imports one way only: app, then the slices, then ui and lib. */
const webRules = [
  {
    name: 'web-ui-and-lib-know-no-slice',
    from: { path: '^web/(ui|lib)/', pathNot: TEST },
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
    from: { path: '^web/', pathNot: String.raw`^web/(app/|test/|(main|prerender)\.tsx$|.*\.test\.tsx?$)` },
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
    comment: 'Two files that need each other are one file, or three, even where they need no more than types.',
    from: {},
    to: { circular: true },
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
    to: { path: '^server/', pathNot: String.raw`^server/(api|test/recorded-bank)\.ts$` },
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
    to: { path: '^server/', pathNot: '^server/(ledger|calendar|platform)/' },
  },
  {
    name: 'calendar-knows-platform-alone',
    from: { path: '^server/calendar/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/(calendar|platform)/' },
  },
  {
    name: 'platform-knows-nothing-above-it',
    from: { path: '^server/platform/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/platform/' },
  },
  {
    name: 'bank-knows-platform-alone',
    comment: 'What is said of this bank once, for all slices: its settings, its policy, its shares and its web app.',
    from: { path: '^server/bank/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/(bank|platform)/' },
  },
  {
    name: 'platform-knows-no-banking',
    comment:
      'Of what both sides agree on it knows refusals, languages, money, texts, and how devices, pages and events are called. The generated types of the tables name what stands in them.',
    from: { path: '^server/platform/', pathNot: [TEST, String.raw`^server/platform/db/tables\.ts$`] },
    to: {
      path: '^contract/',
      pathNot: String.raw`^contract/(errors|field-refusals|languages|money|texts|said|graphemes|devices|identity|security-events|step-up|pages|events)\.ts$`,
    },
  },
  {
    name: 'db-knows-nothing-above-it',
    from: { path: '^server/platform/db/', pathNot: TEST },
    to: {
      path: '^server/',
      pathNot: String.raw`^server/platform/((db|process|secrets)/|time-zone\.ts$)`,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'slices-do-not-know-how-they-are-put-together',
    from: { path: '^server/[^/]+/', pathNot: ['^server/(boot|cli)/', TEST] },
    to: { path: String.raw`^server/(boot/|cli/|api\.ts$)` },
  },
  {
    name: 'server-has-no-loose-files',
    from: {},
    to: { path: String.raw`^server/[^/]+$`, pathNot: String.raw`^server/api\.ts$` },
  },
  {
    name: 'fixtures-are-for-tests',
    from: { pathNot: TEST },
    to: { path: '^(server/(test|faults)|web/test)/' },
  },
  {
    name: 'what-serves-is-a-dependency',
    comment: 'The server runs from node_modules, where an operator may leave out development dependencies.',
    from: { path: '^server/', pathNot: TEST },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'scripts-run-before-anything-is-installed',
    comment: "Those in TypeScript run on the project's own Node, once it is there.",
    from: { path: String.raw`^scripts/.*\.mjs$` },
    to: { dependencyTypesNot: ['core'], pathNot: String.raw`^scripts/.*\.mjs$` },
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
