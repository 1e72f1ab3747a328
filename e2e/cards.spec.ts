import { expect, type Page, test } from '@playwright/test'
import type { CardDetails, CardList } from '#contract/cards.ts'
import { lineNamed } from '#contract/line-texts.ts'
import {
  readFromBank,
  readAvailable,
  readNewest,
  openWithLiveEvents,
  originOf,
  pressByKey,
  findToast,
  visit,
} from './bank.ts'

const cardCalled = (page: Page, name: string) => page.getByRole('article', { name })

test('a virtual card takes money, shows its number, is frozen live, and returns its balance', async ({ page }) => {
  await visit(page)
  await openWithLiveEvents(page, '/cards')
  const sheet = page.getByRole('dialog')
  const streaming = cardCalled(page, 'Streaming')
  await pressByKey(page.getByRole('button', { name: 'Create Virtual Card' }))
  await sheet.getByLabel('Name').fill('Streaming')
  await sheet.getByLabel('Monthly Limit').fill('80')
  await sheet.getByLabel('Starting Balance').fill('60')
  await sheet.getByRole('button', { name: 'Create Card' }).click()
  await expect(findToast(page, 'Streaming is ready to use')).toBeVisible()
  await expect(streaming).toContainText('$60.00')
  expect(await readAvailable(page)).toBe(1_239_850)
  expect((await readNewest(page, 1))[0]).toMatchObject({
    name: lineNamed('Streaming'),
    amountMinor: -60_00,
    category: 'card',
  })

  const answer = page.waitForResponse((response) => response.url().endsWith('/details'))
  await pressByKey(streaming.getByRole('button', { name: 'Details', exact: true }))
  const { number } = (await (await answer).json()) as CardDetails
  await expect(sheet.getByText(number.replaceAll(/(.{4})(?=.)/g, '$1 '))).toHaveCount(2)
  await page.keyboard.press('Escape')

  const { cards } = await readFromBank<CardList>(page, '/cards')
  const path = `/api/v1/cards/${cards.find(({ name }) => name === 'Streaming')?.id}/freeze`
  const frozen = await page.request.post(path, { headers: { origin: await originOf(page) } })
  expect(frozen.ok()).toBe(true)
  await expect(streaming).toContainText('Frozen')

  await pressByKey(streaming.getByRole('button', { name: 'Delete', exact: true }))
  await sheet.getByRole('button', { name: 'Delete Card' }).click()
  await expect(findToast(page, '$60.00 is back in your account')).toBeVisible()
  await expect(streaming).toHaveCount(0)
  expect(await readAvailable(page)).toBe(1_245_850)
})
