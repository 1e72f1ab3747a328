import { expect, type Page, test } from '@playwright/test'
import type { CardDetails, CardList } from '#contract/cards.ts'
import { lineNamed } from '#contract/wording.ts'
import { ask, available, newest, openListening, originOf, press, toast, visit } from './bank.ts'

const cardCalled = (page: Page, name: string) => page.getByRole('article', { name })

test('a virtual card takes money, shows its number, is frozen live, and gives back what is on it', async ({ page }) => {
  await visit(page)
  await openListening(page, '/cards')
  const sheet = page.getByRole('dialog')
  const streaming = cardCalled(page, 'Streaming')
  await press(page.getByRole('button', { name: 'Create Virtual Card' }))
  await sheet.getByLabel('Name').fill('Streaming')
  await sheet.getByLabel('Monthly Limit').fill('80')
  await sheet.getByLabel('Starting Balance').fill('60')
  await sheet.getByRole('button', { name: 'Create Card' }).click()
  await expect(toast(page, 'Streaming is ready to use')).toBeVisible()
  await expect(streaming).toContainText('$60.00')
  expect(await available(page)).toBe(1_239_850)
  expect((await newest(page, 1))[0]).toMatchObject({
    name: lineNamed('Streaming'),
    amountMinor: -60_00,
    category: 'card',
  })

  const answer = page.waitForResponse((response) => response.url().endsWith('/details'))
  await press(streaming.getByRole('button', { name: 'Details', exact: true }))
  const { number } = (await (await answer).json()) as CardDetails
  await expect(sheet.getByText(number.replaceAll(/(.{4})(?=.)/g, '$1 '))).toHaveCount(2)
  await page.keyboard.press('Escape')

  const { cards } = await ask<CardList>(page, '/cards')
  const path = `/api/v1/cards/${cards.find(({ name }) => name === 'Streaming')?.id}/freeze`
  const frozen = await page.request.post(path, { headers: { origin: await originOf(page) } })
  expect(frozen.ok()).toBe(true)
  await expect(streaming).toContainText('Frozen')

  await press(streaming.getByRole('button', { name: 'Delete', exact: true }))
  await sheet.getByRole('button', { name: 'Delete Card' }).click()
  await expect(toast(page, '$60.00 is back in your account')).toBeVisible()
  await expect(streaming).toHaveCount(0)
  expect(await available(page)).toBe(1_245_850)
})
