import { AccountSheet } from '#web/payment-methods/account-sheet.tsx'
import { LinkSheet } from '#web/payment-methods/link-sheet.tsx'
import { MandateSheet } from '#web/payment-methods/mandate-sheet.tsx'

/** What the screen has opened in a sheet. */
export type Opened = { what: 'link' } | { what: 'account' | 'mandate'; id: string }

export type SheetState = { open: boolean; onOpenChange: (open: boolean) => void }

export function OpenedSheet({ opened, ...sheet }: SheetState & { opened: Opened }) {
  if (opened.what === 'link') return <LinkSheet {...sheet} />
  return opened.what === 'account' ? (
    <AccountSheet id={opened.id} {...sheet} />
  ) : (
    <MandateSheet id={opened.id} {...sheet} />
  )
}
