import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDocumentProxy } from 'unpdf'
import { type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'

let server: PeopleServer
let ann: Person

beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await ann.fund(25_00)
})
afterAll(() => server.close())

/** What the file tells the program that shows it. */
async function toldIn(language: string) {
  await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language }))
  const [transaction] = await ann.transactions()
  const answer = await ann.browser.get(`/api/v1/transactions/${transaction?.id}/receipt`)
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { info } = (await pdf.getMetadata()) as { info: { Language?: string } }
  const preferences = (await pdf.getViewerPreferences()) as Record<string, unknown> | null
  return { language: info.Language, direction: preferences?.['Direction'] }
}

test.each([
  ['en', undefined],
  ['ar', 'R2L'],
])('a receipt in %s says its language, and whether it is read from the right', async (language, direction) => {
  expect(await toldIn(language)).toEqual({ language, direction })
})
