import { AccountSheet } from '#web/payment-methods/account-sheet.tsx'
import { LinkSheet } from '#web/payment-methods/link-sheet.tsx'
import { MandateSheet } from '#web/payment-methods/mandate-sheet.tsx'
import type { OpenPaymentMethodSheet } from '#web/payment-methods/open-sheet.ts'
import type { SheetsProps } from '#web/ui/sheet.tsx'

export function OpenedSheet({ shown, open, close }: SheetsProps<OpenPaymentMethodSheet, null>) {
  const sheet = { open, onOpenChange: (next: boolean) => next || close() }
  if (shown.what === 'link') return <LinkSheet {...sheet} />
  return shown.what === 'account' ? (
    <AccountSheet id={shown.id} {...sheet} />
  ) : (
    <MandateSheet id={shown.id} {...sheet} />
  )
}
