import { Trans, useLingui } from '@lingui/react/macro'
import { NotebookPen, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { TransactionDetail } from '#contract/accounts.ts'
import { useOpened } from '#web/lib/on-demand.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ButtonRow, Row } from '#web/ui/row.tsx'

const loadForm = () => import('#web/transaction-detail/note-form.tsx')

/** What a customer writes to themselves about a transaction, edited where it stands. */
export function PrivateNote({ shown }: { shown: TransactionDetail }) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(false)
  const close = () => setEditing(false)
  const form = useOpened(loadForm, editing, close)
  if (editing && form) return <form.NoteForm shown={shown} onClose={close} />
  if (shown.privateNote === null)
    return (
      <ButtonRow
        icon={NotebookPen}
        title={t`Add a Note`}
        description={t`You find the payment again by its words.`}
        onClick={() => setEditing(true)}
      />
    )
  return (
    <Row
      icon={NotebookPen}
      title={<Trans comment="A note that a customer wrote to themselves">Your Note</Trans>}
      description={
        <span dir="auto" className="block text-ink whitespace-pre-line wrap-anywhere">
          {shown.privateNote}
        </span>
      }
      trailing={
        <IconButton
          icon={Pencil}
          label={t`Edit Note`}
          className="-me-3 [&_svg]:!size-4 !text-ink-soft"
          onClick={() => setEditing(true)}
        />
      }
    />
  )
}
