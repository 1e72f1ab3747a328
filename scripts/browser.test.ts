import { chromium } from '@playwright/test'
import { expect, test } from 'vitest'
import { WITHOUT_EXTRAS } from './browser.mjs'

const featuresIn = (text: string) => /--disable-features=(\S+)/.exec(text)?.[1]?.split(',') ?? []

test('the features that Playwright disables in a browser stay disabled with our own flags', async () => {
  // Node is not a browser, so the launch fails. The error message contains the arguments.
  const failure: unknown = await chromium.launch({ executablePath: process.execPath }).catch((error: unknown) => error)
  const byPlaywright = featuresIn(String(failure))
  expect(byPlaywright).not.toEqual([])
  expect(featuresIn(WITHOUT_EXTRAS.join(' '))).toEqual(expect.arrayContaining(byPlaywright))
})
