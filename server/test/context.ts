/** Values that server/test/cluster.ts sets once for all tests. Child processes and threads inherit them. */
const NAMES = { templateUrl: 'ALDER_TEST_TEMPLATE_URL', secret: 'ALDER_TEST_SECRET' } as const

export type TestContext = {
  /** The owner's address of the migrated template. Test databases are clones of it. */
  templateUrl: string
  /** The secret from which the serving role's password derives. */
  secret: string
}

export function provideTestContext(context: TestContext): void {
  for (const [key, name] of Object.entries(NAMES)) process.env[name] = context[key as keyof TestContext]
}

/** Returns a value of the test run. Throws outside a test run. */
export function testContext(key: keyof TestContext): string {
  const value = process.env[NAMES[key]]
  if (value === undefined) throw new Error(`There is no ${NAMES[key]} outside a test run`)
  return value
}
