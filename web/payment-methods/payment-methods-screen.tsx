import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Cards } from '#web/payment-methods/cards.tsx'
import { DirectDebits } from '#web/payment-methods/direct-debits.tsx'
import { LinkedAccounts } from '#web/payment-methods/linked-accounts.tsx'
import type { Opened } from '#web/payment-methods/sheets.tsx'
import { useOpened } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { Screen } from '#web/ui/screen.tsx'
import { withSheet } from '#web/ui/sheet.tsx'

const loadSheets = withSheet(() => import('#web/payment-methods/sheets.tsx'))

/** The customer's cards, what they have at other banks and services, and who collects from their account. */
export function PaymentMethodsScreen() {
  const { t } = useLingui()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [open, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const sheets = useOpened(loadSheets, open, () => setOpen(false))
  function show(next: Opened): void {
    setOpened(next)
    setOpenings(openings + 1)
    setOpen(true)
  }
  return (
    <Screen title={t`Payment Methods`} back={paths.settings}>
      <Cards onOpen={show} />
      <LinkedAccounts onOpen={show} />
      <DirectDebits onOpen={show} />
      {sheets && opened && (
        // Opened again, a sheet begins anew.
        <sheets.OpenedSheet key={openings} opened={opened} open={open} onOpenChange={setOpen} />
      )}
    </Screen>
  )
}
