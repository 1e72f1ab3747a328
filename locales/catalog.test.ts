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

function typeset(language: string, text: string): string {
  const i18n = setupI18n({ locale: language, messages: { [language]: messagesOf(catalogOf(language, text)) } })
  return i18n._('a_text', { name: 'i o', count: 1 })
}

test('in Polish, no line ends with a one-letter word, including before a value or another such word', () => {
  expect(typeset('pl', 'Wpisz je w aplikacji i z {name} o tej porze')).toBe(
    'Wpisz je w\u00a0aplikacji i\u00a0z\u00a0i o o\u00a0tej porze',
  )
  expect(typeset('pl', '{count, plural, one {Raz w roku} other {# razy w roku}}')).toBe('Raz w\u00a0roku')
})

test('other words and other languages stay unchanged', () => {
  expect(typeset('pl', 'Bank ma to')).toBe('Bank ma to')
  expect(typeset('es', 'Uno y otro o nada')).toBe('Uno y otro o nada')
})
