import { expect, test } from '@playwright/test'
import { pressByKey, visit } from './bank.ts'

// web/ui/sheet.component.test.tsx covers opening and closing sheets.
test('a reload closes a sheet and leaves no entry in the history', async ({ page }) => {
  const sheet = page.getByRole('dialog')
  const newGoal = page.getByRole('button', { name: 'New Goal' })
  await visit(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Add to Vacation Fund' }).click()
  await pressByKey(newGoal)
  await sheet.getByLabel('Name').fill('New Kitchen')
  await page.reload()
  await expect(newGoal).toBeEnabled()
  await expect(sheet).toHaveCount(0)
  await pressByKey(newGoal)
  await sheet.getByLabel('Name').fill('New Kitchen')
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(page).toHaveURL('/savings')
  await page.goForward()
  // The code that handles Back is in a file of its own, which loads after the screen.
  await Promise.all([page.waitForResponse(/\/assets\/sheet-entries/), page.reload()])
  await expect(newGoal).toBeEnabled()
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})
