import { expect, test } from '@playwright/test'
import { press, visit } from './bank.ts'

// How a sheet is opened and closed is proved by web/ui/sheet.component.test.tsx.
test('a reload closes a sheet and leaves no step behind', async ({ page }) => {
  const sheet = page.getByRole('dialog')
  const newGoal = page.getByRole('button', { name: 'New Goal' })
  await visit(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Add to Vacation Fund' }).click()
  await press(newGoal)
  await sheet.getByLabel('Name').fill('New Kitchen')
  await page.reload()
  await expect(newGoal).toBeEnabled()
  await expect(sheet).toHaveCount(0)
  await press(newGoal)
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
