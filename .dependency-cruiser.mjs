// The allowed imports between the parts of the architecture. Tests may import more, so most rules do not apply to imports in
// test files.

export const TEST = String.raw`(\.test\.tsx?$|^e2e/|^server/(test|faults)/|^web/test/)`

/** The folders of the web app's slices. */
const WEB_SLICE = '^web/(?!app/|ui/|lib/|i18n/|public/|test/)([^/]+)/'

/** The web app imports in one direction: app, then the slices, then ui and lib. */
const webRules = [
  {
    name: 'web-ui-and-lib-import-no-slice',
    from: { path: '^web/(ui|lib)/', pathNot: TEST },
    to: { path: '^web/', pathNot: '^web/(ui|lib|i18n)/' },
  },
  {
    name: 'web-lib-imports-no-ui',
    from: { path: '^web/lib/' },
    to: { path: '^web/ui/' },
  },
  {
    name: 'web-forms-use-one-hook',
    comment: 'Every form uses web/lib/form.ts, so that all forms validate, show errors and submit in the same way.',
    from: { path: '^web/', pathNot: String.raw`^web/lib/form\.ts$` },
    to: { path: '^node_modules/react-hook-form/' },
  },
  {
    name: 'web-slices-do-not-import-the-app',
    from: { path: '^web/', pathNot: String.raw`^web/(app/|test/|(main|prerender)\.tsx$|.*\.test\.tsx?$)` },
    to: { path: '^web/app/' },
  },
  {
    name: 'web-slices-share-only-queries-and-shared-folders',
    comment: "A slice may import another slice's queries.ts and its shared/ folder. Its screens and forms are private.",
    from: { path: WEB_SLICE },
    to: { path: WEB_SLICE, pathNot: ['^web/$1/', String.raw`^web/[^/]+/(queries\.ts$|shared/)`] },
  },
]

const forbidden = [
  ...webRules,
  {
    name: 'no-cycles',
    comment:
      'Two files must not import each other, not even for types. Combine them, or move the shared part into a third file.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'every-import-exists',
    from: {},
    // Modules that the build generates have no file.
    to: { couldNotResolve: true, pathNot: '^virtual:' },
  },
  {
    name: 'contract-imports-only-zod',
    from: { path: '^contract/', pathNot: TEST },
    to: { pathNot: ['^contract/', '^node_modules/zod/'] },
  },
  {
    name: 'web-imports-only-the-api-type',
    comment: 'The web app may import types from the server, but no code.',
    from: { path: '^web/' },
    to: { path: '^server/', pathNot: String.raw`^server/(api|test/recorded-bank)\.ts$` },
  },
  {
    name: 'web-imports-no-server-code',
    from: { path: '^web/' },
    to: { path: '^server/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'server-does-not-import-the-web-app',
    from: { path: '^server/' },
    to: { path: '^web/' },
  },
  {
    name: 'ledger-imports-no-slice',
    from: { path: '^server/ledger/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/(ledger|calendar|platform)/' },
  },
  {
    name: 'calendar-imports-only-the-platform',
    from: { path: '^server/calendar/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/(calendar|platform)/' },
  },
  {
    name: 'platform-imports-nothing-above-it',
    from: { path: '^server/platform/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/platform/' },
  },
  {
    name: 'bank-imports-only-the-platform',
    comment:
      'server/bank has the settings, policy, shares and web app that all slices use, so it imports only the platform.',
    from: { path: '^server/bank/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/(bank|platform)/' },
  },
  {
    name: 'platform-imports-no-banking',
    comment:
      'The platform may import only these parts of the contract: refusals, languages, money, texts, and the names of devices, pages and events. The generated types of the tables may import more.',
    from: { path: '^server/platform/', pathNot: [TEST, String.raw`^server/platform/db/tables\.ts$`] },
    to: {
      path: '^contract/',
      pathNot: String.raw`^contract/(errors|field-refusals|languages|money|texts|code-texts|graphemes|devices|identity|security-events|step-up|pages|events)\.ts$`,
    },
  },
  {
    name: 'db-imports-nothing-above-it',
    from: { path: '^server/platform/db/', pathNot: TEST },
    to: {
      path: '^server/',
      pathNot: String.raw`^server/platform/((db|process|secrets)/|time-zone\.ts$)`,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'slices-do-not-import-their-assembly',
    from: { path: '^server/[^/]+/', pathNot: ['^server/(boot|cli)/', TEST] },
    to: { path: String.raw`^server/(boot/|cli/|api\.ts$)` },
  },
  {
    name: 'server-has-no-files-outside-folders',
    from: {},
    to: { path: String.raw`^server/[^/]+$`, pathNot: String.raw`^server/api\.ts$` },
  },
  {
    name: 'only-tests-import-fixtures',
    from: { pathNot: TEST },
    to: { path: '^(server/(test|faults)|web/test)/' },
  },
  {
    name: 'server-imports-only-production-dependencies',
    comment: 'The server runs from node_modules, where an operator may leave out development dependencies.',
    from: { path: '^server/', pathNot: TEST },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'scripts-import-no-packages',
    comment:
      "These scripts run before the project's own Node is installed, so they import only Node's modules and each other.",
    from: { path: String.raw`^scripts/.*\.mjs$` },
    to: { dependencyTypesNot: ['core'], pathNot: String.raw`^scripts/.*\.mjs$` },
  },
]

export default {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no parser for other tools. The parser of swc also tells types from values.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
}
