import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractText, getDocumentProxy } from 'unpdf'
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

// The heading, and what a payment by card is called.
test.each([
  ['zh', '电子回单'],
  ['ja', 'カードからの入金'],
])('a receipt in %s is set in its own letters', async (language, title) => {
  await ann.browser.send('PATCH', '/api/v1/preferences', JSON.stringify({ language }))
  const [transaction] = await ann.transactions()
  const answer = await ann.browser.get(`/api/v1/transactions/${transaction?.id}/receipt`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
  expect(text.replaceAll(/\s/g, '')).toContain(title)
  // What a letter reads as that its font does not have.
  expect(text).not.toContain('\0')
})
