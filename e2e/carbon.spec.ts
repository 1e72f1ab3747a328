import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import type { CarbonCertificate } from '#contract/carbon.ts'
import type { Notice } from '#contract/notifications.ts'
import {
  readFromBank,
  readAvailable,
  readNewest,
  openWithLiveEvents,
  postToBank,
  pressByKey,
  findToast,
  visit,
} from './bank.ts'

const total = (page: Page) => page.getByRole('region', { name: 'Your Footprint' })
const offset = (page: Page) => page.getByRole('region', { name: 'Carbon Offset' }).getByRole('button')

test('offsets a month, keeps a certificate, and shows later spending live', async ({ page }) => {
  await visit(page)
  const availableBefore = await readAvailable(page)
  await openWithLiveEvents(page, '/carbon-footprint')
  await pressByKey(offset(page))
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $18.45' }).click()
  await expect(findToast(page, '123 kg of CO₂ offset')).toBeVisible()
  const { certificates } = await readFromBank<{ certificates: CarbonCertificate[] }>(page, '/carbon/certificates')
  const { number = '' } = certificates[0] ?? {}
  await expect(findToast(page, `Your certificate is ${number}`)).toBeVisible()
  await expect(offset(page)).toHaveCount(0)
  expect(await readAvailable(page)).toBe(availableBefore - 18_45)
  expect((await readNewest(page, 1))[0]).toMatchObject({ name: { code: 'carbon.offset' }, amountMinor: -18_45 })
  const { notices } = await readFromBank<{ notices: Notice[] }>(page, '/notifications')
  expect(notices[0]).toMatchObject({ kind: 'carbon_offset', params: { grams: 123_000, certificate: number } })

  const download = page.waitForEvent('download')
  await pressByKey(page.getByRole('button', { name: new RegExp(number) }))
  const file = await download
  expect(file.suggestedFilename()).toBe(`alder-certificate-${number}.pdf`)
  expect(readFileSync(await file.path(), 'latin1')).toMatch(/^%PDF-/)

  // $7.00 of transport cause 1.5 kg of CO₂, whose offset costs 22.5 cents.
  await postToBank(page, '/sample/charges', { category: 'transport', amountMinor: 7_00 })
  await expect(offset(page)).toHaveText('Offset 1.5 kg for $0.23')
  await expect(total(page)).toContainText('124.5 kg CO₂')
})
