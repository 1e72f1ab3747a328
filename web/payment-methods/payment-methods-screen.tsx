import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { cardsQuery } from '#web/cards/queries.ts'
import { linkedAccountsQuery } from '#web/lib/linked-accounts.ts'
import { Cards } from '#web/payment-methods/cards.tsx'
import { DirectDebits } from '#web/payment-methods/direct-debits.tsx'
import { LinkedAccounts } from '#web/payment-methods/linked-accounts.tsx'
import { mandatesQuery } from '#web/payment-methods/queries.ts'
import type { Opened } from '#web/payment-methods/opened.ts'
import { paths } from '#web/lib/paths.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'

const loadSheets = async () => (await import('#web/payment-methods/sheets.tsx')).OpenedSheet

/** The customer's cards, what they have at other banks and services, and who collects from their account. */
export function PaymentMethodsScreen() {
  const { t } = useLingui()
  const sheets = useSheets(loadSheets, true)
  return (
    <Screen title={t`Payment Methods`} back={paths.settings}>
      <Sections onOpen={sheets.show} />
      {sheets.render(null)}
    </Screen>
  )
}

/** Where nothing came at all, that is said once. */
function Sections({ onOpen }: { onOpen: (opened: Opened) => void }) {
  const queries = [useQuery(cardsQuery), useQuery(linkedAccountsQuery), useQuery(mandatesQuery)]
  const [first] = queries
  if (first?.error && queries.every(({ data, error }) => error && !data)) {
    return <Failure error={first.error} refetch={() => queries.forEach(({ refetch }) => void refetch())} />
  }
  return (
    <>
      <Cards onOpen={onOpen} />
      <LinkedAccounts onOpen={onOpen} />
      <DirectDebits onOpen={onOpen} />
    </>
  )
}
