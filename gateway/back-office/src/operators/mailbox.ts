/** Where dots in the name of a mailbox mean nothing. Both names are of one service. */
const WITHOUT_DOTS = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox that an e-mail address leads to: in lower case, without a subaddress (RFC 5233: `ada+office@…`), and as the providers that ignore dots read it. Two addresses with
 * one mailbox are of one person; that two mailboxes are of two people, nobody knows.
 */
export const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const [name = ''] = email.slice(0, at).toLowerCase().split('+');
  return WITHOUT_DOTS.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
};

const part = (index: number) => ({ $arrayElemAt: [{ $split: [{ $toLower: '$email' }, '@'] }, index] });

/** The same for documents that were stored before mailboxes were: a stage of a pipeline that sets `mailbox`. */
export const setMailbox = {
  $set: {
    mailbox: {
      $let: {
        vars: { name: { $arrayElemAt: [{ $split: [part(0), '+'] }, 0] }, domain: part(-1) },
        in: {
          $cond: [
            { $in: ['$$domain', WITHOUT_DOTS] },
            { $concat: [{ $replaceAll: { input: '$$name', find: '.', replacement: '' } }, '@gmail.com'] },
            { $concat: ['$$name', '@', '$$domain'] },
          ],
        },
      },
    },
  },
};
