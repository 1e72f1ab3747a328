// @vitest-environment happy-dom
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { intlLocale, LANGUAGE_CODES } from '#contract/languages.ts'
import { changeText, currencyName, money } from '#web/i18n/formats.ts'
import { Money, SpokenFigure } from '#web/ui/money.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

async function speak(language: string): Promise<void> {
  const { messages } = await import(`../../locales/${language}.po`)
  i18n.loadAndActivate({ locale: language, locales: intlLocale(language), messages })
}

/** Returns the texts for assistive technology, one by one, and the visible text. */
async function renderTexts(element: ReactElement): Promise<{ spoken: string[]; visible: string }> {
  const box = document.createElement('div')
  const root = createRoot(box)
  await act(async () => root.render(<I18nProvider i18n={i18n}>{element}</I18nProvider>))
  const spoken: string[] = []
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode as Text
    if (!node.parentElement?.closest('[aria-hidden]')) spoken.push(node.data)
  }
  const visible = [...box.querySelectorAll('[aria-hidden]')].map(({ textContent }) => textContent).join('')
  await act(async () => root.unmount())
  return { spoken, visible }
}

const MINUS_WORD: Record<string, string> = {
  en: 'minus',
  es: 'menos',
  fr: 'moins',
  de: 'minus',
  it: 'meno',
  pt: 'menos',
  nl: 'min',
  pl: 'minus',
  zh: '负',
  ja: 'マイナス',
  ar: 'ناقص',
}

test.each(LANGUAGE_CODES)(
  'an amount is read aloud completely, with its sign as a word and its currency, in %s',
  async (language) => {
    await speak(language)
    const negativeAmount = await renderTexts(<Money amountMinor={-1_234_56} asset="USD" smallDecimals />)
    expect(negativeAmount.spoken).toHaveLength(1)
    expect(negativeAmount.spoken[0]).toContain(MINUS_WORD[language])
    expect(negativeAmount.spoken[0]).toContain('$')
    expect(negativeAmount.spoken[0]?.replaceAll(/\D/g, '')).toBe('123456')
    expect(negativeAmount.spoken[0]).not.toMatch(/[−-]/)
    expect(negativeAmount.visible).toBe(money(-1_234_56, 'USD'))

    const positiveAmount = await renderTexts(<Money amountMinor={1_234_56} asset="USD" sign="always" smallDecimals />)
    expect(positiveAmount.spoken).toEqual([money(1_234_56, 'USD', { sign: 'always' })])
    expect((await renderTexts(<Money amountMinor={5_60} asset="USD" />)).spoken).toEqual([money(5_60, 'USD')])
    expect((await renderTexts(<SpokenFigure text={changeText(-365)} />)).spoken[0]).toContain(MINUS_WORD[language])
    expect(currencyName('USD')).toMatch(/[\p{L}]{2}/u)
  },
)

test('a hyphen between words or days is not a minus', async () => {
  await speak('en')
  for (const text of ['2026-08-28', 'Wi-Fi 6', '5-7% annually']) {
    expect((await renderTexts(<SpokenFigure text={text} />)).spoken).toEqual([text])
  }
  expect((await renderTexts(<SpokenFigure text="-8.5%" />)).spoken).toEqual(['minus 8.5%'])
})

test('a count of pieces has no currency', () => {
  expect(currencyName('POINTS')).toBe('')
  expect(currencyName('FUND_BALANCED')).toBe('')
})
