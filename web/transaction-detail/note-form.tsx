import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { TransactionDetail } from '#contract/accounts.ts'
import { PRIVATE_NOTE_LENGTH } from '#contract/private-note-terms.ts'
import { transactionQuery, writePrivateNote } from '#web/accounts/queries.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

/** Edits the private note of a transaction. */
export function NoteForm({ transaction, onClose }: { transaction: TransactionDetail; onClose: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useForm({
    initial: { note: transaction.privateNote ?? '' },
    startAt: 'note',
    check: () => [],
    read: ({ note }) => note.trim(),
    send: (note) => writePrivateNote(transaction.id, note),
    loading: () => t`Saving your note…`,
    success: (_, note) => ({ message: note === '' ? t`Note removed` : t`Note saved` }),
    onDone: (_, note) => {
      // The note is shown at once, before the bank's next response.
      queries.setQueryData(transactionQuery(transaction.id).queryKey, (detail) =>
        detail ? { ...detail, privateNote: note || null } : detail,
      )
      onClose()
    },
  })
  const left = PRIVATE_NOTE_LENGTH - form.values.note.length
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-3 p-4">
      <TextArea
        {...form.field('note')}
        label={t`Your Note`}
        hint={
          left <= 50 ? (
            <Plural value={left} one="# character left" other="# characters left" />
          ) : (
            t`Only you can see it.`
          )
        }
        maxLength={PRIVATE_NOTE_LENGTH}
        dir="auto"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onClose()
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" className="flex-1" busy={form.busy}>
          <Trans>Save Note</Trans>
        </Button>
        <Button variant="secondary" size="small" className="flex-1" disabled={form.busy} onClick={onClose}>
          <Trans comment="Stops editing without saving">Cancel</Trans>
        </Button>
      </div>
    </form>
  )
}
