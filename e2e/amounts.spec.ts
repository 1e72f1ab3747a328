import { expect, type Page, test } from '@playwright/test'
import { toast, visit } from './bank.ts'

const amount = (page: Page) => page.getByLabel('Amount', { exact: true })
const choice = (page: Page) => page.getByRole('group', { name: /Which amount|Do you mean/ })

async function paste(page: Page, text: string): Promise<void> {
  await amount(page).fill('')
  await amount(page).evaluate((input, pasted) => {
    ;(input as HTMLInputElement).focus()
    document.execCommand('insertText', false, pasted)
  }, text)
}

async function type(page: Page, text: string): Promise<void> {
  await amount(page).fill('')
  await amount(page).pressSequentially(text)
}

test('two lines that are pasted are two amounts, which are refused', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  await expect(page.getByText('$12,458.50 available')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const pasteCopied = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await amount(page).focus()
    await page.keyboard.press('ControlOrMeta+V')
  }
  for (const [lines, shown] of [
    ['100\n200', '100\t200'],
    ['12\r\n500', '12\t500'],
  ] as const) {
    await amount(page).fill('')
    await pasteCopied(lines)
    await expect(amount(page)).toHaveValue(shown)
    await amount(page).blur()
    await expect(amount(page)).toHaveValue(shown)
  }
  await page.getByLabel('Recipient').fill('sarah.johnson@example.com')
  await page.getByRole('button', { name: 'Send Money' }).click()
  await expect(amount(page)).toHaveAttribute('aria-invalid', 'true')
  // A line of its own, and what is typed around it, stays one amount.
  await amount(page).fill('')
  await pasteCopied('12.50\n')
  await amount(page).blur()
  await expect(amount(page)).toHaveValue('12.50')
})

test('typed and pasted, a text is the same amount, and what is none stays to be seen', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  await expect(page.getByText('$12,458.50 available')).toBeVisible()
  for (const put of [type, paste]) {
    for (const [text, shown] of [
      ['1,000', '1,000.00'],
      ['12,50', '12.50'],
      ['1.234,5', '1,234.50'],
      ['0,500', '0,500'],
      ['1e3', '1e3'],
      ['-5', '-5'],
    ] as const) {
      await put(page, text)
      await expect(amount(page)).toHaveValue(text)
      await amount(page).blur()
      await expect(amount(page)).toHaveValue(shown)
    }
  }
  await page.getByLabel('Recipient').fill('sarah.johnson@example.com')
  await page.getByRole('button', { name: 'Send Money' }).click()
  await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  await expect(amount(page)).toHaveValue('-5')
})

test('asks which of two amounts is meant', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  await expect(page.getByText('$12,458.50 available')).toBeVisible()
  await type(page, '1.000')
  await expect(choice(page).getByRole('button')).toHaveText(['$1,000.00', '$1.00'])
  await choice(page).getByRole('button', { name: '$1,000.00' }).click()
  await expect(choice(page)).toHaveCount(0)
  await expect(amount(page)).toBeFocused()
  // What the bank wrote is chosen as a whole, so that a key replaces it, and is shown parted once the field is left.
  await expect(amount(page)).toHaveValue('1000.00')
  await amount(page).blur()
  await expect(amount(page)).toHaveValue('1,000.00')
  await page.getByLabel('Recipient').focus()
  await page.keyboard.press('Shift+Tab')
  await expect(amount(page)).toBeFocused()
  await page.keyboard.type('7')
  await expect(amount(page)).toHaveValue('7')
})
