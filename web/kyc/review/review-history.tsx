import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReviewAct } from '#contract/kyc.ts'
import { historyQuery } from '#web/kyc/queries.ts'
import { typeLabel } from '#web/kyc/steps.ts'
import { messageOf } from '#web/lib/api.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/** Who did what in a case, and when; loaded when it is opened. */
export function CaseHistory({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control px-1 font-medium">History</summary>
      {open && <Acts id={id} />}
    </details>
  )
}

function Acts({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(historyQuery(id))
  if (!data && error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Card>
        <Loading label="Loading the history" />
        <RowSkeletons count={3} />
      </Card>
    )
  }
  if (data.acts.length === 0) return <p className="px-1 text-ink-soft">Nobody has opened this case yet.</p>
  return (
    <Card>
      <ol className="divide-y divide-line">
        {data.acts.map((act) => (
          <li key={act.id} className="px-4 py-3">
            <p className="break-words">{said(act)}</p>
            <p className="tabular text-sm text-ink-soft">{dateAndTime(act.at)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const ACTS: Record<Exclude<ReviewAct['act'], 'open'>, string> = {
  unlock: 'confirmed who they are',
  approve: 'approved the case',
  reject: 'rejected the case',
  again: 'asked for new documents',
}

function said({ act, reviewer, documentType }: ReviewAct): string {
  const who = reviewer ?? 'Alder'
  if (act !== 'open') return `${who} ${ACTS[act]}`
  return `${who} opened ${documentType ? typeLabel(documentType) : 'a document'}`
}
