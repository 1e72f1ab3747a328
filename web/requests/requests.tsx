import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddressClose } from '#web/lib/address-sheet.ts'
import { requestsQuery } from '#web/lib/money-requests.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { paths } from '#web/lib/paths.ts'
import { LoadFailure, UNREACHABLE } from '#web/ui/load-failure.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheet } from '#web/ui/sheet.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

const loadGroups = () => import('#web/requests/request-groups.tsx')
const loadSheet = () => import('#web/requests/request-sheet.tsx')

/** Lists requests that the customer received and sent. The `chosen` one is open. */
export function Requests({ chosen }: { chosen: string | null }) {
  const close = useAddressClose(paths.request)
  const sheet = useSheet(loadSheet, chosen !== null, close)
  return (
    <>
      <Lists />
      {sheet && chosen !== null && <sheet.RequestSheet key={chosen} id={chosen} onClose={close} />}
    </>
  )
}

function Lists() {
  const { t } = useLingui()
  const query = useQuery(requestsQuery)
  const [isFailed, setFailed] = useState(false)
  const groups = useLazy(loadGroups, !isFailed, () => setFailed(true))
  if (!query.data || !groups)
    return (
      <Section title={t({ message: 'Requests', context: 'money' })}>
        <Card>
          {isFailed ? (
            <LoadFailure error={UNREACHABLE} refetch={() => setFailed(false)} />
          ) : query.error ? (
            <LoadFailure {...query} />
          ) : (
            <>
              <Loading label={t`Loading your requests`} />
              <RowSkeletons count={2} />
            </>
          )}
        </Card>
      </Section>
    )
  return <groups.Groups requests={query.data} />
}
