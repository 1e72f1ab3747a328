import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cardsQuery } from '#web/cards/queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { linkedAccountsQuery } from '#web/lib/linked-accounts.ts'
import { Cards } from '#web/payment-methods/cards.tsx'
import { DirectDebits } from '#web/payment-methods/direct-debits.tsx'
import { LinkedAccounts } from '#web/payment-methods/linked-accounts.tsx'
import { mandatesQuery } from '#web/payment-methods/queries.ts'
import type { Opened } from '#web/payment-methods/sheets.tsx'
import { useOpened } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { Failure } from '#web/ui/failure.tsx'
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
      <Sections onOpen={show} />
      {sheets && opened && (
        // Opened again, a sheet begins anew.
        <sheets.OpenedSheet key={openings} opened={opened} open={open} onOpenChange={setOpen} />
      )}
    </Screen>
  )
}

/** Where nothing came at all, that is said once. */
function Sections({ onOpen }: { onOpen: (opened: Opened) => void }) {
  const queries = [useQuery(cardsQuery), useQuery(linkedAccountsQuery), useQuery(mandatesQuery)]
  const [first] = queries
  if (first?.error && queries.every(({ data, error }) => error && !data)) {
    return <Failure message={messageOf(first.error)} onRetry={() => queries.forEach(({ refetch }) => void refetch())} />
  }
  return (
    <>
      <Cards onOpen={onOpen} />
      <LinkedAccounts onOpen={onOpen} />
      <DirectDebits onOpen={onOpen} />
    </>
  )
}
