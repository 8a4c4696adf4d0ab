#!/bin/busybox sh
# The first program of a virtual machine with control groups of version 2 alone, which records what stands in
# probe/tests/library/fixtures/v2-*: run by hand, as those files' README says. It wants busybox as /bin/busybox, the native
# probe as /bin/nbmedic-probe with the C library that it is linked to, and a disk as /dev/nvme0n1; it prints and powers off.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev; mkdir -p /dev/shm /record; mount -t tmpfs none /dev/shm; mount -t tmpfs none /record
mount -t cgroup2 none /sys/fs/cgroup
G=/sys/fs/cgroup/user.slice/jupyter.scope
echo "+memory +io +cpu +pids" > /sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/user.slice
echo "+memory +io +cpu" > /sys/fs/cgroup/user.slice/cgroup.subtree_control
mkdir $G
echo 67108864 > $G/memory.max; echo 0 > $G/memory.swap.max 2>/dev/null
show() { for f in $G/memory.current $G/memory.max $G/memory.events $G/memory.stat $G/memory.pressure $G/cgroup.procs /sys/fs/cgroup/user.slice/memory.max /proc/vmstat /proc/pressure/memory; do echo "=== $1 $f"; cat $f; done; }
# The kernel: waits, then takes memory until it is killed.
mkfifo /tmp/in
sh -c 'read go; x=x; while true; do x=$x$x; done' < /tmp/in &
K=$!
exec 3>/tmp/in
echo $K > $G/cgroup.procs
# Pages of a disk, which can be dropped as long as it stays open, and of a file in memory, which cannot.
exec 4</dev/nvme0n1
sh -c "echo \$\$ > $G/cgroup.procs; dd if=/dev/nvme0n1 of=/dev/null bs=1M count=16 2>/dev/null; dd if=/dev/zero of=/tmp/g bs=1M count=8 2>/dev/null"
echo "=== uname"; uname -r
echo "=== cgroup"; cat /proc/$K/cgroup
mkfifo /tmp/talk; sleep 100 > /tmp/talk &
nbmedic-probe $K /record < /tmp/talk
sleep 1
show before
echo go >&3
wait $K
echo "=== status $?"
sleep 2
show after
echo "=== record"; cat /record/nbmedic-flight.jsonl
echo "=== dmesg"; dmesg | grep -i "killed process\|oom" | tail -5
echo "=== done"
poweroff -f
