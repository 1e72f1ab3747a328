import { expect, test } from 'vitest'
import { mailHtml } from '#server/mail/html.ts'
import { openTranslations, readCatalogs } from '#server/platform/translations.ts'

const translations = openTranslations(readCatalogs())
const english = translations.in('en')
const LINK = 'https://bank.example/claim?token=T'

test('the HTML escapes every text: the subject, paragraphs, and the label and link of a button', () => {
  const evil = `<b onload="x">'&amp;</title><script>alert(1)</script>`
  const html = mailHtml(english, { subject: evil, body: [`Hello ${evil},`, { label: evil, link: `${LINK}&"><i>` }] })
  expect(html).not.toMatch(/<b\b|<script|<i>|onload="/)
  expect(html.match(/&lt;b onload=&quot;x&quot;&gt;&#39;&amp;amp;&lt;\/title&gt;/g)).toHaveLength(4)
  expect(html).toContain(`href="${LINK}&amp;&quot;&gt;&lt;i&gt;"`)
})

test('a line break in a paragraph is kept', () => {
  expect(mailHtml(english, { subject: 'A', body: ['one\n<two>'] })).toContain('one<br>&lt;two&gt;')
})

test.each([
  ['en', 'ltr', 'left'],
  ['de', 'ltr', 'left'],
  ['ar', 'rtl', 'right'],
])('a mail in %s reads %s', (language, direction, start) => {
  const html = mailHtml(translations.in(language), { subject: 'A', body: ['B', { label: 'C', link: LINK }] })
  // Mail programs that drop the `html` element keep this `div`.
  expect(html).toContain(`<div class="canvas" lang="${language}" dir="${direction}"`)
  expect(html).toContain(`<html lang="${language}" dir="${direction}" `)
  expect(html).toContain(`text-align:${start}`)
  // An address is read from left to right in every language.
  expect(html).toContain(`href="${LINK}" dir="ltr"`)
})

test('the HTML loads no resources, and runs no code', () => {
  const html = mailHtml(english, { subject: 'A', body: ['B', { label: 'C', link: LINK }] })
  expect(html).not.toMatch(/\bsrc=|url\(|@import|<link|<script|<img|<form|\son\w+=/i)
  expect([...html.matchAll(/https?:[^"<]*/g)].map(([address]) => address)).toEqual([LINK, LINK, LINK])
})

test('the HTML supports dark mode, and keeps its light colors in other mail programs', () => {
  const html = mailHtml(english, { subject: 'A', body: ['B'] })
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toMatch(/@media \(prefers-color-scheme: dark\) \{[^]*\.ink \{ color: #eef1ec !important; \}/)
  expect(html).toMatch(/<p class="ink" style="[^"]*color:#17211d">B<\/p>/)
})

test('the preview text beside the subject is the text after the greeting', () => {
  const html = mailHtml(english, { subject: 'A', body: ['Hello,', 'Ann sent you $5.00.', { label: 'C', link: LINK }] })
  const [before = ''] = html.split('<h1')
  expect(before).toMatch(/<body[^>]*>\s*<div aria-hidden="true" style="display:none;[^"]*">Ann sent you \$5\.00\./)
  expect(before).not.toContain('Hello,')
})

test('the HTML keeps its width, colors and logo in Outlook, which does not support boxes and round corners', () => {
  const html = mailHtml(english, { subject: 'A', body: ['B'] })
  expect(html).toContain('<!--[if mso]><table role="presentation" width="560"')
  expect(html).toMatch(/<td class="surface" bgcolor="#ffffff"/)
  expect(html).toMatch(/<!--\[if mso\]><v:group .*<v:oval /)
  expect(html.match(/<table/g)?.length).toBe(html.match(/<table role="presentation"/g)?.length)
})
