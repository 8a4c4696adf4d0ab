#!/bin/busybox sh
# The first program of a virtual machine with control groups version 2 only; it records the files
# probe/tests/library/fixtures/v2-*. Run it by hand, as those files' README says. It needs busybox as /bin/busybox, the native
# probe as /bin/nbmedic-probe with the C library that it is linked to, and a disk as /dev/nvme0n1. It prints and powers off.
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
# Stands for the kernel: waits, then allocates memory until it is killed.
mkfifo /tmp/in
sh -c 'read go; x=x; while true; do x=$x$x; done' < /tmp/in &
K=$!
exec 3>/tmp/in
echo $K > $G/cgroup.procs
# Pages of a disk, which are reclaimable as long as it stays open, and of a file in memory, which are not.
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
