import { expect, test } from 'vitest'
import { setupI18n } from '@lingui/core'
import { messagesOf } from '#locales/catalog.ts'

const catalogOf = (language: string, text: string) => `msgid ""
msgstr ""
"Language: ${language}\\n"

#. js-lingui-explicit-id
#: web/screen.tsx
msgid "a_text"
msgstr "${text}"
`

function said(language: string, text: string): string {
  const i18n = setupI18n({ locale: language, messages: { [language]: messagesOf(catalogOf(language, text)) } })
  return i18n._('a_text', { name: 'i o', count: 1 })
}

test('a word of one letter ends no line in Polish, before a value or another such word neither', () => {
  expect(said('pl', 'Wpisz je w aplikacji i z {name} o tej porze')).toBe(
    'Wpisz je w\u00a0aplikacji i\u00a0z\u00a0i o o\u00a0tej porze',
  )
  expect(said('pl', '{count, plural, one {Raz w roku} other {# razy w roku}}')).toBe('Raz w\u00a0roku')
})

test('words and other languages stay as they are written', () => {
  expect(said('pl', 'Bank ma to')).toBe('Bank ma to')
  expect(said('es', 'Uno y otro o nada')).toBe('Uno y otro o nada')
})
