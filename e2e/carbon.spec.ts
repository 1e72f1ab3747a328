import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import type { CarbonCertificate } from '#contract/carbon.ts'
import type { Notice } from '#contract/notifications.ts'
import { ask, available, newest, openListening, post, press, toast, visit } from './bank.ts'

const total = (page: Page) => page.getByRole('region', { name: 'Your Footprint' })
const offset = (page: Page) => page.getByRole('region', { name: 'Carbon Offset' }).getByRole('button')

test('offsets a month, keeps a certificate, and shows live what is spent later', async ({ page }) => {
  await visit(page)
  const before = await available(page)
  await openListening(page, '/carbon-footprint')
  await press(offset(page))
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $18.45' }).click()
  await expect(toast(page, '123 kg of CO₂ offset')).toBeVisible()
  const { certificates } = await ask<{ certificates: CarbonCertificate[] }>(page, '/carbon/certificates')
  const { number = '' } = certificates[0] ?? {}
  await expect(toast(page, `Your certificate is ${number}`)).toBeVisible()
  await expect(offset(page)).toHaveCount(0)
  expect(await available(page)).toBe(before - 18_45)
  expect((await newest(page, 1))[0]).toMatchObject({ name: { code: 'carbon.offset' }, amountMinor: -18_45 })
  const { notices } = await ask<{ notices: Notice[] }>(page, '/notifications')
  expect(notices[0]).toMatchObject({ kind: 'carbon_offset', params: { grams: 123_000, certificate: number } })

  const download = page.waitForEvent('download')
  await press(page.getByRole('button', { name: new RegExp(number) }))
  const file = await download
  expect(file.suggestedFilename()).toBe(`alder-certificate-${number}.pdf`)
  expect(readFileSync(await file.path(), 'latin1')).toMatch(/^%PDF-/)

  // $7.00 of transport are 1.5 kg, which cost 22.5 cents.
  await post(page, '/sample/charges', { category: 'transport', amountMinor: 7_00 })
  await expect(offset(page)).toHaveText('Offset 1.5 kg for $0.23')
  await expect(total(page)).toContainText('124.5 kg CO₂')
})
