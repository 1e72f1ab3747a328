import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReviewAct } from '#contract/kyc.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { historyQuery } from '#web/kyc/queries.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/** Shows all actions in a case with their person and time. The history is loaded when it is opened. */
export function CaseHistory({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control px-1 font-medium">
        <Trans context="what was done in a case">History</Trans>
      </summary>
      {open && <Acts id={id} />}
    </details>
  )
}

function Acts({ id }: { id: string }) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(historyQuery(id))
  if (!data && error) return <LoadFailure error={error} refetch={refetch} />
  if (!data) {
    return (
      <Card>
        <Loading label={t`Loading the history`} />
        <RowSkeletons count={3} />
      </Card>
    )
  }
  if (data.acts.length === 0) {
    return (
      <p className="px-1 text-ink-soft">
        <Trans>No one has opened this case yet.</Trans>
      </p>
    )
  }
  return (
    <Card>
      <ol className="divide-y divide-line">
        {data.acts.map((act) => (
          <li key={act.id} className="px-4 py-3">
            <p className="break-words">{t(actText(act))}</p>
            <p className="tabular text-sm text-ink-soft">{dateAndTime(act.at)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** The text of each action, with the reviewer's name. */
const ACTS: Record<Exclude<ReviewAct['act'], 'open'>, (reviewer: string) => MessageDescriptor> = {
  unlock: (reviewer) => msg`${reviewer} confirmed their identity`,
  approve: (reviewer) => msg`${reviewer} approved the case`,
  reject: (reviewer) => msg`${reviewer} rejected the case`,
  again: (reviewer) => msg`${reviewer} asked for new documents`,
}

function actText({ act, reviewer: name, documentType: type }: ReviewAct): MessageDescriptor {
  const reviewer = name ?? 'Alder'
  if (act !== 'open') return ACTS[act](reviewer)
  if (!type) return msg`${reviewer} opened a document`
  const documentType = documentTypeText(type)
  return msg({
    message: `${reviewer} opened ${documentType}`,
    comment: '{reviewer} is a name, {documentType} a kind of document such as Passport',
  })
}
