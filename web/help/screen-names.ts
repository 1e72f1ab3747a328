import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { paths } from '#web/lib/paths.ts'

/** The titles of the screens to which articles link. */
export const SCREEN_NAMES: Readonly<Record<string, MessageDescriptor>> = {
  [paths.cards]: msg`Cards`,
  [paths.notifications]: msg`Notifications`,
  [paths.kyc]: msg`Identity Verification`,
  [paths.securityPrivacy]: msg`Security & Privacy`,
  [paths.devices]: msg`Devices`,
  [paths.securityActivity]: msg`Security Activity`,
  [paths.dashboard]: msg`Home`,
  [paths.personalInfo]: msg`Personal Information`,
  [paths.language]: msg`Language`,
  [paths.settings]: msg`Settings`,
  [paths.notificationPreferences]: msg`Notification Preferences`,
  [paths.rewards]: msg`Rewards`,
  [paths.transfer]: msg`Send Money`,
  [paths.request]: msg`Request Money`,
  [paths.splitBill]: msg`Split Bill`,
  [paths.addMoney]: msg`Add Money`,
  [paths.paymentMethods]: msg`Payment Methods`,
  [paths.transactions]: msg`Transactions`,
}
