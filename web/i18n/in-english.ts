import { i18n } from '@lingui/core'
import { ENGLISH } from '#web/i18n/english.ts'

/** Unit tests read English. */
i18n.loadAndActivate({ locale: 'en', messages: ENGLISH })
