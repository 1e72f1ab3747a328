import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { open } from '#web/test/app.tsx'

const amount = page.getByLabelText('Amount')

/** Copies a text to the clipboard, and pastes it into the amount field. */
async function paste(text: string): Promise<void> {
  const source = document.body.appendChild(document.createElement('textarea'))
  onTestFinished(() => source.remove())
  source.value = text
  source.select()
  await userEvent.copy()
  await amount.fill('')
  await amount.click()
  await userEvent.paste()
}

test('two pasted lines are two amounts, and one line is one', async () => {
  await open('/transfer')
  await expect.element(amount).toBeVisible()
  for (const [text, editedText, finalText] of [
    ['100\n200', '100\t200', '100\t200'],
    ['12.50\n', '12.50', '12.50'],
    ['1.234,5', '1.234,5', '1,234.50'],
  ] as const) {
    await paste(text)
    await expect.element(amount).toHaveValue(editedText)
    await userEvent.tab()
    await expect.element(amount).toHaveValue(finalText)
  }
})

test('the bank’s prefilled amount is selected as a whole, so that a key replaces it', async () => {
  await open('/transfer')
  await amount.fill('1.000')
  const choice = page.getByRole('group', { name: /Which amount/ })
  await choice.getByRole('button', { name: '$1,000.00' }).click()
  await expect.element(choice).not.toBeInTheDocument()
  await expect.element(amount).toHaveFocus()
  await expect.element(amount).toHaveValue('1000.00')
  await userEvent.tab()
  await expect.element(amount).toHaveValue('1,000.00')
  await userEvent.tab({ shift: true })
  await expect.element(amount).toHaveFocus()
  await userEvent.keyboard('7')
  await expect.element(amount).toHaveValue('7')
})
