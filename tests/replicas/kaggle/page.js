// The page that surrounds the cells: banners, and the meters of the session.
import { h } from '/replica/dom.js';

const meters = document.querySelector('.sc-dhKdcB');
const banners = document.querySelector('.sc-kpDqfm');

window.replica = {
  meters(values) {
    meters.replaceChildren(
      ...Object.entries(values).map(([label, value]) =>
        h(
          'div',
          { class: 'sc-cwHptR' },
          h('span', { class: 'sc-eeDRCY' }, label),
          h('span', { class: 'sc-koXPp' }, value),
        ),
      ),
    );
  },
  banner(text) {
    const banner = h(
      'div',
      { class: 'sc-bXCLTC' },
      h('span', {}, text),
      h('span', { class: 'sc-gEvEer', onclick: () => banner.remove() }, 'Dismiss'),
    );
    banners.append(banner);
  },
  dismiss: () => banners.replaceChildren(),
};
window.replica.meters({
  Disk: '1.2 GiB / 57.6 GiB',
  CPU: '98%',
  RAM: '3.1 GiB / 29.0 GiB',
  'GPU Memory': '0 B / 15.9 GiB',
});
document.documentElement.dataset.ready = 'true';
