/** What server/test/cluster.ts starts once for all tests. Their processes and threads inherit it. */
const NAMES = { templateUrl: 'ALDER_TEST_TEMPLATE_URL', secret: 'ALDER_TEST_SECRET' } as const

export type TestContext = {
  /** The owner's address of the migrated template; test databases are cloned from it. */
  templateUrl: string
  /** The secret the serving role's password comes from. */
  secret: string
}

export function provideTestContext(context: TestContext): void {
  for (const [key, name] of Object.entries(NAMES)) process.env[name] = context[key as keyof TestContext]
}

/** Throws outside a test run. */
export function testContext(key: keyof TestContext): string {
  const value = process.env[NAMES[key]]
  if (value === undefined) throw new Error(`There is no ${NAMES[key]} outside a test run`)
  return value
}
